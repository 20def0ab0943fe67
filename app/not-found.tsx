import Link from "next/link";
import { getTranslations } from "next-intl/server";

export default async function NotFound() {
  const t = await getTranslations("page");
  return (
    <div className="mx-auto max-w-2xl px-6 py-24">
      <h1 className="mb-3 text-2xl font-semibold tracking-tight">{t("nothing")}</h1>
      <p className="mb-6 text-muted">{t("nothingAbout")}</p>
      <Link className="button-primary" href="/">
        {t("toInbox")}
      </Link>
    </div>
  );
}
