"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { PersonView } from "../../lib/protocol/people.ts";
import { useTypingPause } from "../keyboard/use-typing-pause.ts";
import { resumeSession } from "../live/session.ts";
import { hasPasskey } from "../preferences/preferences.ts";
import { SignInForm } from "../sign-in/sign-in-form.tsx";
import { useMe } from "../team/me.tsx";
import { Dialog } from "../ui/dialog.tsx";

/**
 * Signs the person in again in place, once they have stopped typing: their sentence belongs to the page, not to a password.
 * The page behind it keeps everything and sends nothing until then.
 */
export function SessionEnded() {
  const t = useTranslations("session");
  const router = useRouter();
  const { person, ways } = useMe();
  const hasPaused = useTypingPause();
  const here = `${window.location.pathname}${window.location.search}`;
  const onSignedIn = (now: PersonView) => {
    // The page shows data loaded for someone else.
    if (person && person.id !== now.id) return window.location.reload();
    resumeSession();
    router.refresh();
  };
  if (!hasPaused) return null;
  return (
    <Dialog title={t("title")} description={t("about")} size="sm" isRequired onClose={() => {}}>
      <SignInForm
        ways={ways}
        hasPasskey={hasPasskey()}
        login={person?.login ?? ""}
        next={here}
        onSignedIn={onSignedIn}
      />
    </Dialog>
  );
}
