"use client";

import { LockKeyhole } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { Button } from "../ui/button.tsx";
import { Row, RowList, Section } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";

const PasswordDialog = dynamic(retrying(async () => (await import("./password-dialog.tsx")).PasswordDialog));

/** Changes the person's password. */
export function Password({ person }: { person: PersonView }) {
  const t = useTranslations("password");
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t("title")}>
      <RowList label={t("title")}>
        <Row icon={<LockKeyhole size={16} aria-hidden />} title={t("yours")} facts={t("endsOthers")}>
          <Button onClick={() => setOpen(true)}>{t("change")}</Button>
        </Row>
      </RowList>
      {isOpen && <PasswordDialog person={person} onClose={() => setOpen(false)} />}
    </Section>
  );
}
