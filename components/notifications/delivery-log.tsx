"use client";

import { RotateCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { NotificationQuery, NotificationState, NotificationView } from "../../lib/protocol/notification.ts";
import { api, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { usePeople } from "../team/use-people.ts";
import { Button } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { Moment } from "../ui/clock.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { Row, RowList } from "../ui/page.tsx";
import { showToast } from "../ui/toast-store.ts";

const TONES: Record<NotificationState, "neutral" | "good" | "warning" | "danger" | "info"> = {
  due: "info",
  sending: "info",
  sent: "good",
  failed: "danger",
  dropped: "neutral",
  withdrawn: "neutral",
};
const ENDED: readonly NotificationState[] = ["sent", "failed"];

type Props = { title: string; query: NotificationQuery; onClose: () => void };

/** What was sent about a question or to a channel, and whether it arrived. */
export function DeliveryLog({ title, query, onClose }: Props) {
  const t = useTranslations("notifications.deliveries");
  const { inbox_item_id, channel_id } = query;
  const loaded = useLoaded(
    useCallback(
      async () =>
        (
          await api.call("listNotifications", {
            query: { ...(inbox_item_id && { inbox_item_id }), ...(channel_id && { channel_id }) },
          })
        ).notifications,
      [inbox_item_id, channel_id],
    ),
  );
  const { value: people = [] } = usePeople();
  const nameOf = ({ person_id }: NotificationView) => people.find(({ id }) => id === person_id)?.name;
  const again = async (notification: NotificationView) => {
    try {
      await api.call("replayNotification", { params: { id: notification.id } });
      showToast({ text: t("sentAgain"), tone: "good" });
      await loaded.reload();
    } catch (reason) {
      showToast({ text: errorText(reason), tone: "danger" });
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <LoadedPart loaded={loaded} rows={3}>
        {(notifications) =>
          notifications.length === 0 ? (
            <p className="py-6 text-center text-sm text-muted">{t("none")}</p>
          ) : (
            <RowList label={title}>
              {notifications.map((notification) => (
                <Row
                  key={notification.id}
                  title={
                    <>
                      {nameOf(notification) ?? t("space")}
                      <Badge tone={TONES[notification.state]}>{t(`states.${notification.state}`)}</Badge>
                    </>
                  }
                  facts={
                    <>
                      {t(`events.${notification.event}`)} · {t(`kinds.${notification.kind}`)}
                      {" · "}
                      <Moment at={notification.sent_at ?? notification.created_at} />
                      {notification.attempts > 1 && ` · ${t("attempts", { count: notification.attempts })}`}
                      {notification.error && <span className="block text-danger">{notification.error}</span>}
                    </>
                  }
                >
                  {channel_id && ENDED.includes(notification.state) && (
                    <Button size="sm" variant="ghost" onClick={() => void again(notification)}>
                      <RotateCw size={14} aria-hidden />
                      {t("again")}
                    </Button>
                  )}
                </Row>
              ))}
            </RowList>
          )
        }
      </LoadedPart>
    </Dialog>
  );
}
