"use client";

import { type Bell, BellPlus, Globe, Mail, MessageSquare, Plus, Smartphone, Webhook } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { Reply } from "../../lib/client.ts";
import type { ChannelKind, ChannelView, NewChannel } from "../../lib/protocol/notification.ts";
import { api, errorText } from "../live/api.ts";
import type { Loaded } from "../live/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { Ago } from "../ui/clock.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { NoRows, Row, RowList, Section } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { TestButton } from "./test-button.tsx";

// Loaded on demand, because it brings in a large library.
const AddChannel = dynamic(retrying(async () => (await import("./add-channel.tsx")).AddChannel));
const AskFirst = dynamic(retrying(async () => (await import("../ui/ask-first.tsx")).AskFirst));
const ConfirmAddress = dynamic(retrying(async () => (await import("./confirm-address.tsx")).ConfirmAddress));
const DeliveryLog = dynamic(retrying(async () => (await import("./delivery-log.tsx")).DeliveryLog));

const ICONS: Record<ChannelKind, typeof Bell> = {
  web_push: Globe,
  email: Mail,
  ntfy: Smartphone,
  webhook: Webhook,
  slack: MessageSquare,
};

type Channels = Reply<"listChannels">;

type Props = {
  title: string;
  about: ReactNode;
  /** What is shown if there are none. */
  none: string;
  loaded: Loaded<Channels>;
  /** Kinds that are not added here. */
  hidden: readonly ChannelKind[];
  onAdd: (channel: NewChannel) => Promise<Reply<"addChannel">>;
};

/** The ways in which a person or a space is notified, each with a test, its last error and its log. */
export function ChannelList({ title, about, none, loaded, hidden, onAdd }: Props) {
  const t = useTranslations("notifications.channels");
  const [isAdding, setAdding] = useState(false);
  const kinds = loaded.value?.kinds.filter((kind) => !hidden.includes(kind)) ?? [];
  return (
    <Section
      title={title}
      about={about}
      actions={
        kinds.length > 0 && (
          <Button onClick={() => setAdding(true)}>
            <Plus size={14} aria-hidden />
            {t("add")}
          </Button>
        )
      }
    >
      <LoadedPart loaded={loaded} rows={1}>
        {({ channels }) =>
          channels.length === 0 ? (
            <NoRows icon={<BellPlus size={18} className="text-subtle" aria-hidden />}>{none}</NoRows>
          ) : (
            <RowList label={title}>
              {channels.map((channel) => (
                <ChannelRow key={channel.id} channel={channel} onChanged={() => void loaded.reload()} />
              ))}
            </RowList>
          )
        }
      </LoadedPart>
      {isAdding && (
        <AddChannel kinds={kinds} onAdd={onAdd} onAdded={() => void loaded.reload()} onClose={() => setAdding(false)} />
      )}
    </Section>
  );
}

function ChannelRow({ channel, onChanged }: { channel: ChannelView; onChanged: () => void }) {
  const t = useTranslations("notifications.channels");
  const [dialog, setDialog] = useState<"remove" | "log" | "confirm">();
  const Icon = ICONS[channel.kind];
  return (
    <Row
      icon={<Icon size={16} aria-hidden />}
      isQuiet={channel.disabled}
      title={
        <>
          <span className="min-w-0 truncate" dir="auto">
            {channel.label}
          </span>
          {!channel.confirmed ? (
            <Badge tone="warning">{t("unconfirmed")}</Badge>
          ) : channel.disabled ? (
            <Badge tone="danger">{t("givenUp")}</Badge>
          ) : channel.failing_since ? (
            <Badge tone="warning">{t("failing")}</Badge>
          ) : (
            channel.verified_at && <Badge tone="good">{t("works")}</Badge>
          )}
        </>
      }
      facts={
        <>
          {t(`kinds.${channel.kind}`)}
          {channel.fixed && <> · {t("fixed")}</>}
          {channel.created_at && (
            <>
              {" · "}
              {t.rich("added", { time: () => <Ago key="time" at={channel.created_at ?? ""} /> })}
            </>
          )}
          {channel.last_error && <span className="block text-danger">{channel.last_error}</span>}
        </>
      }
    >
      {!channel.confirmed && channel.kind === "email" && (
        <Button variant="primary" onClick={() => setDialog("confirm")}>
          {t("enterCode")}
        </Button>
      )}
      <TestButton channel={channel} onTested={onChanged} />
      <Button variant="ghost" onClick={() => setDialog("log")}>
        {t("log")}
      </Button>
      {!channel.fixed && (
        <Button variant="ghost" onClick={() => setDialog("remove")}>
          {t("remove")}
        </Button>
      )}
      {dialog === "confirm" && (
        <ConfirmAddress channel={channel} onConfirmed={onChanged} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "log" && (
        <DeliveryLog
          title={t("logTitle", { name: channel.label })}
          query={{ channel_id: channel.id }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === "remove" && (
        <AskFirst
          title={t("removeTitle", { name: channel.label })}
          about={t("removeAbout")}
          confirm={t("remove")}
          errorText={errorText}
          onConfirm={async () => {
            await api.call("removeChannel", { params: { id: channel.id } });
            onChanged();
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Row>
  );
}
