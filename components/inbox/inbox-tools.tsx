"use client";

import { DisplayMenu } from "./display-menu.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import type { InboxView } from "./inbox-view.ts";
import { ViewsMenu } from "./views-menu.tsx";

/** The menus above the list. They are loaded after the page, because positioning a menu takes a library of its own. */
export function InboxTools(props: { view: InboxView; onChange: (view: InboxView) => void }) {
  return (
    <>
      <FilterMenu {...props} />
      <DisplayMenu {...props} />
      <ViewsMenu {...props} />
    </>
  );
}
