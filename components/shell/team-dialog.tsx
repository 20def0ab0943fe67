"use client";

import { useTranslations } from "next-intl";
import { CodeBlock } from "../ui/code-block.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** Explains to a person who uses Parley alone how to let others in. */
export function TeamDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("team");
  return (
    <Dialog title={t("setUp")} description={t("setUpAbout")} onClose={onClose}>
      <ol className="list-decimal space-y-3 pl-5 text-sm marker:text-subtle">
        <li>
          <p className="mb-2">{t("steps.run")}</p>
          <CodeBlock>
            <code className="language-bash">parley team</code>
          </CodeBlock>
          <p className="mt-1 text-xs text-subtle">
            {t.rich("steps.clone", { code: () => <code className="font-mono">npm run team</code> })}
          </p>
        </li>
        <li>{t("steps.open")}</li>
        <li>{t("steps.invite")}</li>
      </ol>
      <p className="mt-4 text-sm text-muted">{t("after")}</p>
    </Dialog>
  );
}
