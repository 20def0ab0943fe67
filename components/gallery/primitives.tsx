"use client";

import { Ellipsis, Inbox, Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Badge, FilterChip } from "../ui/chip.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Menu, MenuCheck, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu.tsx";
import { Popover } from "../ui/popover.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Switch } from "../ui/switch.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { showToast } from "../ui/toast-store.ts";

const VARIANTS = ["primary", "secondary", "ghost", "danger"] as const;
const SIZES = ["sm", "md", "lg"] as const;
const NAMES = ["claude-code", "codex", "opencode", "cursor", "deploy-bot", "licence-check", "docs", "ci"];
const PEOPLE = ["Mei Tanaka", "Kenji", "Ada Lovelace", "王芳"];
const TONES = ["neutral", "accent", "good", "warning", "danger", "info"] as const;
const WHEN = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
] as const;

/** Every building block of the interface, in its states. */
export function Primitives() {
  const [when, setWhen] = useState<(typeof WHEN)[number]["value"]>("week");
  const [isOn, setOn] = useState(true);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="space-y-6">
      <Row name="Button">
        {VARIANTS.map((variant) =>
          SIZES.map((size) => (
            <Button key={`${variant}-${size}`} variant={variant} size={size}>
              {variant}
            </Button>
          )),
        )}
        <Button variant="primary" disabled>
          disabled
        </Button>
        <Button variant="primary" isBusy>
          busy
        </Button>
        <IconButton label="Add" shortcut="A">
          <Plus size={16} aria-hidden />
        </IconButton>
      </Row>
      <Row name="Avatar">
        {NAMES.map((name) => (
          <Avatar key={name} name={name} kind="agent" size="lg" />
        ))}
        {PEOPLE.map((name) => (
          <Avatar key={name} name={name} kind="person" size="lg" />
        ))}
        <Avatar name="claude-code" kind="agent" />
        <Avatar name="Mei" kind="person" size="sm" />
      </Row>
      <Row name="Badge, FilterChip, Kbd">
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <FilterChip removeLabel="Remove filter" onRemove={() => {}}>
          Agent: codex
        </FilterChip>
        <Kbd>J</Kbd>
        <Kbd>Ctrl</Kbd>
      </Row>
      <Row name="Menu, Popover, Select, Segmented, Switch">
        <Menu
          trigger={
            <IconButton label="More">
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuLabel>Question</MenuLabel>
          <MenuItem icon={<Pencil size={14} />} shortcut="E" onSelect={() => {}}>
            Open conversation
          </MenuItem>
          <MenuCheck isChecked={isOn} onChange={setOn}>
            Show settled
          </MenuCheck>
          <MenuSeparator />
          <MenuChoices value={when} onChange={setWhen} choices={WHEN} />
          <MenuSeparator />
          <MenuItem isDanger icon={<Trash2 size={14} />} onSelect={() => {}}>
            Delete…
          </MenuItem>
        </Menu>
        <Popover label="A panel" trigger={<Button>Popover</Button>}>
          <p className="text-sm">Something short.</p>
        </Popover>
        <Select label="Range" value={when} onChange={setWhen} options={WHEN} className="w-32" />
        <Segmented label="Range" value={when} onChange={setWhen} choices={WHEN} />
        <div className="w-48">
          <Switch label="Sound" isOn={isOn} onChange={setOn} />
        </div>
      </Row>
      <Row name="Dialog, Toast">
        <Button onClick={() => setOpen(true)}>Open dialog</Button>
        <Button onClick={() => showToast({ text: "Sending · Yes", action: { label: "Undo", run: () => {} } })}>
          Show toast
        </Button>
        {isOpen && (
          <Dialog title="A dialog" description="What it is about." onClose={() => setOpen(false)}>
            <Button onClick={() => setOpen(false)}>Close</Button>
          </Dialog>
        )}
      </Row>
      <Row name="Tabs">
        <div className="w-full">
          <Tabs
            label="Range"
            value={when}
            onChange={setWhen}
            tabs={WHEN.map((each, index) => ({ ...each, count: index * 7 }))}
          >
            <p className="py-3 text-sm text-muted">The panel of “{when}”.</p>
          </Tabs>
        </div>
      </Row>
      <Row name="EmptyState, Skeleton">
        <EmptyState
          icon={<Inbox size={18} />}
          title="All clear"
          actions={<Button variant="primary">Connect an agent</Button>}
        >
          Nobody is waiting for you.
        </EmptyState>
        <div className="w-72">
          <SkeletonRows rows={3} />
        </div>
      </Row>
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h2 className="mb-2 text-xs font-medium text-subtle">{name}</h2>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </section>
  );
}
