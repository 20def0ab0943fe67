"use client";

import { ArrowUpRight } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { buttonClass } from "../ui/button.tsx";
import { retrying } from "../ui/retrying.ts";
import type { CardMenu as Menu } from "./card-menu.tsx";
import { FoldButton } from "./fold-button.tsx";

// Menus bring the library that positions them, which a page does not need at first.
const CardMenu = dynamic(
  retrying(async () => (await import("./card-menu.tsx")).CardMenu),
  {
    ssr: false,
    loading: () => <span className="size-7 pointer-coarse:size-11" />,
  },
);

type Props = ComponentProps<typeof Menu> & {
  /** Adds a link to the conversation. */
  hasLink: boolean;
  isFolded: boolean;
  /** Absent where the card cannot be folded. */
  onFold: ((isFolded: boolean) => void) | undefined;
};

/** The corner of an open card: the way to its conversation, everything else that can be done, and the fold. */
export function CardAside({ hasLink, isFolded, onFold, ...menu }: Props) {
  const t = useTranslations("card");
  return (
    <>
      {hasLink && (
        <Link
          className={buttonClass({ size: "sm", variant: "ghost" })}
          href={`/conversations/${menu.ask.session_id}`}
          aria-label={t("openThread")}
        >
          <ArrowUpRight size={14} aria-hidden />
        </Link>
      )}
      <CardMenu {...menu} />
      {onFold && <FoldButton isFolded={isFolded} onFold={onFold} />}
    </>
  );
}
