"use client";

import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { DEFAULT_STEPS, type SpaceView, type Step } from "../../lib/protocol/space.ts";
import { api, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { ChannelList } from "../notifications/channel-list.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Switch } from "../ui/switch.tsx";
import { inOrder } from "./step-words.ts";
import { StepsEditor } from "./steps-editor.tsx";
import { useStepSentence } from "./use-step-sentence.ts";

type Props = { space: SpaceView; people: readonly PersonView[]; onClose: () => void; onSaved: () => void };

/** Who is notified about a space's questions, when, in how much detail, and the space's own channels. */
export function SpaceNotifications({ space, people, onClose, onSaved }: Props) {
  const t = useTranslations("spaces.steps");
  const [steps, setSteps] = useState<readonly Step[]>(space.steps);
  const [isShort, setShort] = useState(space.detail === "short");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const sentence = useStepSentence(people);
  const { id } = space;
  const channels = useLoaded(useCallback(() => api.call("listSpaceChannels", { params: { id } }), [id]));
  const isDefault = JSON.stringify(inOrder(steps)) === JSON.stringify(inOrder(DEFAULT_STEPS));
  const save = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.call("updateSpace", {
        params: { id },
        body: { steps: isDefault ? null : inOrder(steps), detail: isShort ? "short" : "full" },
      });
      onSaved();
    } catch (reason) {
      setProblem(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("dialog", { name: space.name })} onClose={onClose}>
      <div className="space-y-6">
        <section className="space-y-3">
          <ul className="space-y-0.5 rounded-md bg-sunken px-3 py-2 text-sm" aria-live="polite">
            {inOrder(steps).map((step) => (
              <li key={JSON.stringify(step)}>{sentence(step)}</li>
            ))}
            <li className="text-subtle">{t("until")}</li>
          </ul>
          <StepsEditor steps={steps} people={people} onChange={setSteps} />
          {!isDefault && (
            <Button size="sm" variant="ghost" onClick={() => setSteps(DEFAULT_STEPS)}>
              {t("reset")}
            </Button>
          )}
        </section>
        <Switch label={t("short")} hint={t("shortHint")} isOn={isShort} onChange={setShort} />
        {problem && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button variant="primary" isBusy={isBusy} onClick={() => void save()}>
            {t("save")}
          </Button>
        </div>
        <div className="border-t border-line pt-5">
          <ChannelList
            title={t("channels")}
            about={t("channelsAbout")}
            none={t("noChannels")}
            loaded={channels}
            hidden={["web_push"]}
            onAdd={(body) => api.call("addSpaceChannel", { params: { id }, body })}
          />
        </div>
      </div>
    </Dialog>
  );
}
