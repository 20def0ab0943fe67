"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { EVERYONE, type SpaceView } from "../../lib/protocol/space.ts";
import { api, errorText, isProblemWith } from "../live/api.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Labelled, TextField } from "../ui/field.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Switch } from "../ui/switch.tsx";

type Props = {
  /** Undefined for a new one. */
  space: SpaceView | undefined;
  people: readonly PersonView[];
  onClose: () => void;
  onSaved: () => void;
};

/** The name of a space, who is in it, and whether a second person must answer. */
export function SpaceDialog({ space, people, onClose, onSaved }: Props) {
  const t = useTranslations("spaces");
  const [name, setName] = useState(space?.name ?? "");
  const [open, setOpen] = useState(space?.open ?? true);
  const [second, setSecond] = useState(space?.requires_second_person ?? false);
  const [members, setMembers] = useState<readonly string[]>(space?.members ?? []);
  const [problem, setProblem] = useState<{ name?: string; other?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const isEveryone = space?.id === EVERYONE;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setProblem({ name: t("nameMissing") });
    setBusy(true);
    setProblem({});
    try {
      const body = {
        name: name.trim(),
        requires_second_person: second,
        ...(!isEveryone && { open }),
        ...(!open && { members: [...members] }),
      };
      if (space) await api.call("updateSpace", { params: { id: space.id }, body });
      else await api.call("createSpace", { body });
      onSaved();
    } catch (reason) {
      setBusy(false);
      setProblem(isProblemWith(reason, "name") ? { name: t("nameTaken") } : { other: errorText(reason) });
    }
  };
  return (
    <Dialog title={space ? t("editTitle", { name: space.name }) : t("create")} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void save(event)}>
        <TextField
          label={t("name")}
          maxLength={60}
          value={name}
          error={problem.name}
          onChange={(value) => {
            setName(value);
            setProblem({});
          }}
        />
        {!isEveryone && (
          <Labelled label={t("who")} hint={t(open ? "openHint" : "membersHint")}>
            <Segmented
              label={t("who")}
              value={open ? "open" : "members"}
              choices={[
                { value: "open", label: t("everybody") },
                { value: "members", label: t("onlyMembers") },
              ]}
              onChange={(value) => setOpen(value === "open")}
            />
          </Labelled>
        )}
        {!open && (
          <fieldset>
            <legend className="mb-1 text-sm font-medium">{t("memberList")}</legend>
            <div className="max-h-56 divide-y divide-line overflow-y-auto rounded-md border border-line">
              {people
                .filter(({ id, status }) => status === "active" || members.includes(id))
                .map((person) => (
                  <label
                    key={person.id}
                    className="flex min-h-9 items-center gap-2.5 px-3 text-sm hover:bg-hover pointer-coarse:min-h-11"
                  >
                    <input
                      type="checkbox"
                      className="size-4 shrink-0"
                      checked={members.includes(person.id)}
                      onChange={({ target }) =>
                        setMembers(target.checked ? [...members, person.id] : members.filter((id) => id !== person.id))
                      }
                    />
                    <Avatar name={person.name} kind="person" />
                    <span className="min-w-0 flex-1 truncate">{person.name}</span>
                    {person.role === "admin" && <span className="text-xs text-subtle">{t("seesAll")}</span>}
                  </label>
                ))}
            </div>
          </fieldset>
        )}
        <Switch label={t("secondLabel")} hint={t("secondHint")} isOn={second} onChange={setSecond} />
        {problem.other && (
          <p role="alert" className="text-sm text-danger">
            {problem.other}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t(space ? "save" : "createConfirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
