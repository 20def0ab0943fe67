"use client";

import * as Radix from "@radix-ui/react-dialog";
import { Command } from "cmdk";
import {
  Check,
  CornerDownLeft,
  Filter,
  HelpCircle,
  LoaderCircle,
  MoveRight,
  Palette as PaletteIcon,
  Search,
  Zap,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { isComposing } from "../keyboard/key-events.ts";
import { keptKeys, releaseKeys } from "../shell/palette-key.ts";
import { Kbd } from "../ui/kbd.tsx";
import "../ui/nonce.ts";
import { FoundAgents, FoundConversations, FoundQuestions } from "./found-groups.tsx";
import { byRecency, hasWords } from "./match.ts";
import { type PaletteAction, useRegisteredActions } from "./page-actions.ts";
import { Group, Item } from "./palette-item.tsx";
import { recentActions, rememberAction } from "./recent-actions.ts";
import { useFound } from "./use-found.ts";
import { useShellActions } from "./use-shell-actions.ts";

const ICONS = { page: Zap, go: MoveRight, filter: Filter, appearance: PaletteIcon, help: HelpCircle } as const;

type Props = { onSettings: () => void; onShortcuts: () => void; onClose: () => void };

/** Finds and runs everything by a few letters: actions, conversations, questions and agents. */
export function Palette({ onSettings, onShortcuts, onClose }: Props) {
  const t = useTranslations("palette");
  const router = useRouter();
  const [search, setSearch] = useState(keptKeys);
  const field = useRef<HTMLInputElement>(null);
  const [hasFocus, setFocus] = useState(false);
  const isReleased = useRef(false);
  const words = search.trim();
  const found = useFound(words);
  const actions = [
    ...useRegisteredActions(),
    ...useShellActions({ settings: onSettings, shortcuts: onShortcuts }),
  ].filter(({ label, keywords = "", group }) => hasWords(`${label} ${keywords} ${t(`groups.${group}`)}`, words));
  const [recent] = useState(recentActions);
  const used = words === "" ? actions.filter(({ id }) => recent.includes(id)) : [];

  // Runs once the palette is closed and has given the focus back, because an action may move it elsewhere.
  const chosen = useRef(() => {});
  const choose = (run: () => void) => {
    chosen.current = run;
    onClose();
  };
  const go = (href: string) => choose(() => router.push(href));
  const runAction = (action: PaletteAction) => {
    rememberAction(action.id);
    choose(action.run);
  };
  useEffect(() => {
    if (!hasFocus || isReleased.current) return;
    // Only once the field shows all that was typed: the next key is added to it.
    if (search !== keptKeys()) return setSearch(keptKeys());
    isReleased.current = true;
    if (!releaseKeys() || words === "") return;
    // Someone who types fast has pressed Enter already.
    const [first] = [...actionsOf("page"), ...actionsOf("go")];
    if (first) runAction(first);
  });
  const item = (action: PaletteAction, prefix: string) => {
    const Icon = ICONS[action.group];
    return (
      <Item
        key={action.id}
        value={`${prefix}-${action.id}`}
        icon={<Icon size={16} aria-hidden />}
        onSelect={() => runAction(action)}
        end={
          action.isCurrent ? (
            <Check size={14} className="text-accent" aria-label={t("current")} />
          ) : (
            action.keys?.split(" ").map((key) => <Kbd key={key}>{key}</Kbd>)
          )
        }
      >
        {action.label}
      </Item>
    );
  };
  const isEmpty =
    actions.length + found.agents.length + found.conversations.length + found.questions.length === 0 &&
    !found.isSearching;

  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-black/40" />
        <Radix.Content
          data-dialog
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // Radix would select what was typed so far, and the next key would replace it.
            event.preventDefault();
            field.current?.focus();
            setFocus(true);
          }}
          onCloseAutoFocus={() => queueMicrotask(() => chosen.current())}
          className="fixed inset-x-0 top-0 z-40 mx-auto flex max-h-dvh w-full max-w-xl flex-col overflow-hidden border-line bg-overlay text-ink shadow-lg outline-none sm:top-[12dvh] sm:max-h-[min(28rem,76dvh)] sm:w-[calc(100vw-2rem)] sm:rounded-xl sm:border"
        >
          <Radix.Title className="sr-only">{t("title")}</Radix.Title>
          <Command
            label={t("title")}
            shouldFilter={false}
            loop
            className="flex min-h-0 flex-col"
            onKeyDown={(event) => {
              // The Enter that ends a composition must not run anything.
              if (isComposing(event)) event.preventDefault();
            }}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              {found.isSearching && words !== "" ? (
                <LoaderCircle size={16} className="shrink-0 animate-spin text-subtle" aria-hidden />
              ) : (
                <Search size={16} className="shrink-0 text-subtle" aria-hidden />
              )}
              <Command.Input
                ref={field}
                value={search}
                onValueChange={setSearch}
                maxLength={200}
                placeholder={t("placeholder")}
                className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none sm:text-base"
              />
              <Radix.Close className="rounded-md px-2 py-1 text-sm text-muted hover:bg-hover pointer-fine:hidden pointer-coarse:min-h-11">
                {t("close")}
              </Radix.Close>
              <Kbd>Esc</Kbd>
            </div>
            <Command.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2" label={t("results")}>
              {used.length > 0 && (
                <Group heading={t("groups.recent")}>
                  {byRecency(used, ({ id }) => id, recent).map((action) => item(action, "recent"))}
                </Group>
              )}
              {actionGroups("page", "go")}
              <FoundQuestions questions={found.questions} onGo={go} />
              <FoundConversations conversations={found.conversations} onGo={go} />
              <FoundAgents agents={found.agents} onGo={go} />
              {actionGroups("filter", "appearance", "help")}
              {isEmpty && (
                <p role="status" className="px-3 py-10 text-center text-sm text-muted">
                  {found.hasFailed ? t("failed") : t("nothing", { search: words })}
                </p>
              )}
            </Command.List>
            <footer className="flex items-center gap-3 border-t border-line px-4 py-2 text-xs text-subtle pointer-coarse:hidden">
              <span className="flex items-center gap-1">
                <Kbd>↑</Kbd>
                <Kbd>↓</Kbd>
                {t("move")}
              </span>
              <span className="flex items-center gap-1">
                <CornerDownLeft size={12} aria-hidden />
                {t("run")}
              </span>
            </footer>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );

  function actionsOf(group: PaletteAction["group"]) {
    return actions.filter((action) => action.group === group && !used.includes(action));
  }

  function actionGroups(...groups: Array<PaletteAction["group"]>) {
    return groups.map((group) => {
      const own = actionsOf(group);
      return (
        own.length > 0 && (
          <Group key={group} heading={t(`groups.${group}`)}>
            {own.map((action) => item(action, group))}
          </Group>
        )
      );
    });
  }
}
