"use client";

import { useTranslations } from "next-intl";
import { Toolbar } from "../ui/toolbar.tsx";
import { DisplayMenu } from "./display-menu.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import type { InboxView } from "./inbox-view.ts";
import { ViewsMenu } from "./views-menu.tsx";

/** The menus above the list. They load after the page, because positioning a menu needs a separate library. */
export function InboxTools(props: { view: InboxView; onChange: (view: InboxView) => void }) {
  const t = useTranslations("inbox");
  return (
    <Toolbar label={t("tools")}>
      <FilterMenu {...props} />
      <DisplayMenu {...props} />
      <ViewsMenu {...props} />
    </Toolbar>
  );
}
