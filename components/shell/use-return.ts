"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { api, errorText } from "../live/api.ts";
import { showToast } from "../ui/toast-store.ts";

/** Ends the person's absence. */
export function useReturn(): () => Promise<void> {
  const t = useTranslations("shell");
  const router = useRouter();
  return async () => {
    try {
      await api.call("updateMe", { body: { out_of_office_until: null, delegate_id: null } });
      showToast({ text: t("isBack"), tone: "good" });
      router.refresh();
    } catch (reason) {
      showToast({ text: errorText(reason), tone: "danger" });
    }
  };
}
