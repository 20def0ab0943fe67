"use client";

import type { MouseEvent } from "react";
import { showToast } from "../ui/toast-store.ts";
import { api, errorText } from "./api.ts";

/** For a click on a link to a file. The page fetches the file, because a link sends no page secret. */
export function download(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  const { pathname, search } = event.currentTarget;
  save(pathname + search).catch((reason) => showToast({ text: errorText(reason), tone: "danger" }));
}

/** Browsers keep a large file on the disk. */
async function save(path: string): Promise<void> {
  const response = await api.open(path);
  const [, name = ""] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  // Some browsers begin to read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
