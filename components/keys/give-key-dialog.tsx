"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { KeyView } from "../../lib/protocol/api-key.ts";
import { api, errorText } from "../live/api.ts";
import { usePeople } from "../team/use-people.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

type Props = { apiKey: KeyView; onClose: () => void; onGiven: (key: KeyView) => void };

/** Chooses whose key it is from now on: one person's, or its space's, with several people responsible for it. */
export function GiveKeyDialog({ apiKey: key, onClose, onGiven }: Props) {
  const t = useTranslations("keys");
  const loaded = usePeople();
  const [chosen, setChosen] = useState(() =>
    key.owner_id === null ? key.responsible.map(({ id }) => id) : [key.owner_id],
  );
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const give = async (event: FormEvent) => {
    event.preventDefault();
    const [owner_id] = chosen;
    if (owner_id === undefined) return setProblem(t("giveMissing"));
    setBusy(true);
    try {
      const body = chosen.length === 1 ? { owner_id } : { responsible: chosen };
      onGiven((await api.call("updateKey", { params: { id: key.id }, body })).key);
      onClose();
    } catch (reason) {
      setProblem(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("giveTitle", { name: key.name })} description={t("giveAbout")} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void give(event)}>
        <LoadedPart loaded={loaded} rows={3}>
          {(people) => (
            <fieldset className="max-h-72 overflow-y-auto">
              <legend className="sr-only">{t("givePeople")}</legend>
              {people
                .filter(({ status, role }) => status === "active" && role !== "viewer")
                .map(({ id, name, login }) => (
                  <label key={id} className="flex min-h-9 items-center gap-2.5 text-sm pointer-coarse:min-h-11">
                    <input
                      type="checkbox"
                      className="size-4 accent-(--color-accent)"
                      checked={chosen.includes(id)}
                      onChange={({ target }) =>
                        setChosen((before) =>
                          target.checked ? [...before, id] : before.filter((other) => other !== id),
                        )
                      }
                    />
                    <VisibleText>{name}</VisibleText>
                    <span className="truncate text-subtle">{login}</span>
                  </label>
                ))}
            </fieldset>
          )}
        </LoadedPart>
        {problem && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("give")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
