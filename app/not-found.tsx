import { FileQuestion } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { buttonClass } from "../components/ui/button-class.ts";
import { EmptyState } from "../components/ui/empty-state.tsx";

export default async function NotFound() {
  const t = await getTranslations("page");
  return (
    <div className="flex min-h-full items-center">
      <h1 className="sr-only">Parley</h1>
      <EmptyState
        icon={<FileQuestion size={20} />}
        title={t("nothing")}
        actions={
          <>
            <Link className={buttonClass({ variant: "primary" })} href="/">
              {t("toInbox")}
            </Link>
            <Link className={buttonClass()} href="/conversations">
              {t("toConversations")}
            </Link>
          </>
        }
      >
        {t("nothingAbout")}
      </EmptyState>
    </div>
  );
}
