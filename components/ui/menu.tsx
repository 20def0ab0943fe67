"use client";

import * as Radix from "@radix-ui/react-dropdown-menu";
import { Check, ChevronRight } from "lucide-react";
import { createContext, type MouseEventHandler, type ReactNode, useContext, useRef } from "react";
import { Kbd } from "./kbd.tsx";
import "./nonce.ts";

const ITEM =
  "flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50 pointer-coarse:min-h-11";

const PANEL =
  "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 animate-appear overflow-y-auto rounded-lg border border-line bg-overlay p-1 text-ink shadow-md";

/** Runs what was chosen once the menu has closed, so that a dialog it opens gets the focus after the menu gave it back. */
const AfterClose = createContext((run: () => void) => run());

/** A button that opens a menu. Keys pressed in a menu belong to it (`data-menu`). */
export function Menu({
  trigger,
  align = "end",
  children,
}: {
  trigger: ReactNode;
  align?: "start" | "end";
  children: ReactNode;
}) {
  const chosen = useRef<() => void>(undefined);
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          data-menu
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={PANEL}
          onCloseAutoFocus={() => {
            const run = chosen.current;
            chosen.current = undefined;
            if (run) setTimeout(run);
          }}
        >
          <AfterClose
            value={(run) => {
              chosen.current = run;
            }}
          >
            {children}
          </AfterClose>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ItemProps = {
  icon?: ReactNode;
  shortcut?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
};

export function MenuItem({ icon, shortcut, isDanger = false, isDisabled = false, onSelect, children }: ItemProps) {
  const afterClose = useContext(AfterClose);
  return (
    <Radix.Item
      disabled={isDisabled}
      onSelect={() => afterClose(onSelect)}
      className={`${ITEM} ${isDanger ? "text-danger" : ""}`}
    >
      {icon && <span className={`flex w-4 justify-center ${isDanger ? "" : "text-muted"}`}>{icon}</span>}
      <span className="min-w-0 flex-1">{children}</span>
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </Radix.Item>
  );
}

/** An item that opens its own menu. */
export function MenuSub({ icon, label, children }: { icon?: ReactNode; label: ReactNode; children: ReactNode }) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={`${ITEM} data-[state=open]:bg-hover`}>
        {icon && <span className="flex w-4 justify-center text-muted">{icon}</span>}
        <span className="min-w-0 flex-1">{label}</span>
        <ChevronRight size={14} className="text-subtle" aria-hidden />
      </Radix.SubTrigger>
      <Radix.Portal>
        <Radix.SubContent data-menu collisionPadding={8} className={PANEL}>
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  );
}

/** An item that leads to an address, for example a file to download. */
export function MenuLink({
  href,
  onClick,
  icon,
  children,
}: {
  href: string;
  onClick: MouseEventHandler<HTMLAnchorElement>;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Radix.Item asChild>
      <a href={href} onClick={onClick} className={ITEM}>
        {icon && <span className="flex w-4 justify-center text-muted">{icon}</span>}
        <span className="min-w-0 flex-1">{children}</span>
      </a>
    </Radix.Item>
  );
}

/** An item that is on or off. The menu stays open, so that several can be changed. */
export function MenuCheck({
  isChecked,
  onChange,
  children,
}: {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Radix.CheckboxItem
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span className="flex size-4 items-center justify-center">
        <Radix.ItemIndicator>
          <Check size={14} className="text-accent" aria-hidden />
        </Radix.ItemIndicator>
      </span>
      <span className="flex min-w-0 flex-1 items-center gap-2">{children}</span>
    </Radix.CheckboxItem>
  );
}

/** Items of which one is chosen. */
export function MenuChoices<Value extends string>({
  value,
  onChange,
  choices,
}: {
  value: Value;
  onChange: (value: Value) => void;
  choices: ReadonlyArray<{ value: Value; label: ReactNode }>;
}) {
  return (
    <Radix.RadioGroup value={value}>
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          value={choice.value}
          className={ITEM}
          onSelect={() => onChange(choice.value)}
        >
          <span className="flex size-4 items-center justify-center">
            <Radix.ItemIndicator>
              <Check size={14} className="text-accent" aria-hidden />
            </Radix.ItemIndicator>
          </span>
          {choice.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-2 pb-1 text-xs font-medium text-subtle">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
