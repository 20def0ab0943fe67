"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import type { PersonView } from "../../lib/protocol/people.ts";
import type { Step, StepTarget } from "../../lib/protocol/space.ts";
import { Button, iconButtonClass } from "../ui/button.tsx";
import { FilterChip } from "../ui/chip.tsx";
import { Select } from "../ui/select.tsx";
import { at, GROUPS, inUnits, isGroup, UNITS, type Unit, type When, whenOf } from "./step-words.ts";

const MAX_STEPS = 10;
const WHENS: readonly When[] = ["at_once", "after", "before_deadline"];
const ADD = "add";

type Props = { steps: readonly Step[]; people: readonly PersonView[]; onChange: (steps: Step[]) => void };

/** The escalation of a space, a row for each step: when, and who. */
export function StepsEditor({ steps, people, onChange }: Props) {
  const t = useTranslations("spaces.steps");
  const change = (index: number, step: Step) => onChange(steps.map((each, at) => (at === index ? step : each)));
  return (
    <div className="space-y-2">
      <ol aria-label={t("title")} className="space-y-2">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place.
          <li key={index} className="relative rounded-md border border-line p-3">
            <StepRow
              number={index + 1}
              step={step}
              people={people}
              onChange={(next) => change(index, next)}
              onRemove={steps.length > 1 ? () => onChange(steps.filter((_, at) => at !== index)) : undefined}
            />
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <Button size="sm" onClick={() => onChange([...steps, { after_s: 3_600, notify: ["admins"] }])}>
          <Plus size={14} aria-hidden />
          {t("add")}
        </Button>
      )}
    </div>
  );
}

type StepProps = {
  number: number;
  step: Step;
  people: readonly PersonView[];
  onChange: (step: Step) => void;
  onRemove: (() => void) | undefined;
};

function StepRow({ number, step, people, onChange, onRemove }: StepProps) {
  const t = useTranslations("spaces.steps");
  const when = whenOf(step);
  const { count, unit } = inUnits(step.after_s ?? step.before_deadline_s ?? 0);
  const set = (seconds: number) => onChange(at(step, when, seconds));
  const nameOf = (target: StepTarget) =>
    isGroup(target) ? t(`groups.${target}`) : (people.find(({ id }) => id === target)?.name ?? t("unknown"));
  const others = [
    ...GROUPS.map((value) => ({ value: value as string, label: t(`groups.${value}`) })),
    ...people.filter(({ status }) => status === "active").map(({ id, name }) => ({ value: id, label: name })),
  ].filter(({ value }) => !step.notify.includes(value));
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2 pr-9">
        <Select
          label={t("when", { number })}
          value={when}
          options={WHENS.map((each) => ({ value: each, label: t(`whens.${each}`) }))}
          onChange={(next) => onChange(at(step, next, count === 0 ? 900 : count * UNITS[unit]))}
        />
        {when !== "at_once" && (
          <>
            <input
              type="number"
              min={1}
              max={999}
              aria-label={t("count", { number })}
              className="field h-8 w-20 pointer-coarse:h-11"
              value={count}
              onChange={({ target }) => set(Math.max(1, Math.min(999, Number(target.value) || 1)) * UNITS[unit])}
            />
            <Select
              label={t("unit", { number })}
              value={unit}
              options={(Object.keys(UNITS) as Unit[]).map((each) => ({ value: each, label: t(`unitNames.${each}`) }))}
              onChange={(next) => set(count * UNITS[next])}
            />
          </>
        )}
        {onRemove && (
          <button
            type="button"
            className={`${iconButtonClass({ size: "sm" })} absolute top-3 right-2`}
            aria-label={t("remove", { number })}
            onClick={onRemove}
          >
            <Trash2 size={14} aria-hidden />
          </button>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {step.notify.map((target) =>
          step.notify.length > 1 ? (
            <FilterChip
              key={target}
              removeLabel={t("removeTarget", { name: nameOf(target) })}
              onRemove={() => onChange({ ...step, notify: step.notify.filter((each) => each !== target) })}
            >
              {nameOf(target)}
            </FilterChip>
          ) : (
            <span
              key={target}
              className="inline-flex h-6 items-center rounded-md border border-line bg-sunken px-2 text-xs pointer-coarse:h-11"
            >
              {nameOf(target)}
            </span>
          ),
        )}
        {others.length > 0 && (
          <Select
            label={t("addTarget", { number })}
            value={ADD}
            options={[{ value: ADD, label: t("addTargetShort") }, ...others]}
            className="border-dashed"
            onChange={(target) => target !== ADD && onChange({ ...step, notify: [...step.notify, target] })}
          />
        )}
      </div>
    </div>
  );
}
