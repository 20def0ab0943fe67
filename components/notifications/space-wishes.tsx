"use client";

import { Boxes } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Wish } from "../../lib/protocol/space.ts";
import { api, errorText } from "../live/api.ts";
import { useMe } from "../team/me.tsx";
import { Row, RowList, Section } from "../ui/page.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast-store.ts";

const WISHES: readonly Wish[] = ["all", "assigned", "none"];

/** Which questions the person is notified about in each of their spaces. */
export function SpaceWishes() {
  const t = useTranslations("notifications.spaces");
  const router = useRouter();
  const { spaces } = useMe();
  const [changed, setChanged] = useState<Readonly<Record<string, Wish>>>({});
  const choose = async (id: string, notify: Wish) => {
    const before = changed;
    setChanged({ ...changed, [id]: notify });
    try {
      await api.call("setWish", { params: { id }, body: { notify } });
      router.refresh();
    } catch (reason) {
      setChanged(before);
      showToast({ text: errorText(reason), tone: "danger" });
    }
  };
  return (
    <Section title={t("title")} about={t("about")}>
      <RowList label={t("title")}>
        {spaces.map(({ id, name, notify }) => (
          <Row key={id} icon={<Boxes size={16} aria-hidden />} title={<span dir="auto">{name}</span>}>
            <Select
              label={t("choose", { name })}
              className="w-52"
              value={changed[id] ?? notify}
              options={WISHES.map((each) => ({ value: each, label: t(each) }))}
              onChange={(wish) => void choose(id, wish)}
            />
          </Row>
        ))}
      </RowList>
    </Section>
  );
}
