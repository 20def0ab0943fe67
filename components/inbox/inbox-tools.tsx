"use client";

import { DisplayMenu } from "./display-menu.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import type { InboxView } from "./inbox-view.ts";
import { ViewsMenu } from "./views-menu.tsx";

/** The menus above the list. They load after the page, because positioning a menu needs a separate library. */
export function InboxTools(props: { view: InboxView; onChange: (view: InboxView) => void }) {
  return (
    <>
      <FilterMenu {...props} />
      <DisplayMenu {...props} />
      <ViewsMenu {...props} />
    </>
  );
}
