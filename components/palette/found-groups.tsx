"use client";

import { MessageCircleQuestion } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Facet } from "../../lib/protocol/facet.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { SessionSummary } from "../../lib/protocol/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Ago } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { Fact, Group, Item } from "./palette-item.tsx";

type Go = { onGo: (href: string) => void };

/** Open questions lead to the inbox, settled ones to their conversation. */
export function FoundQuestions({ questions, onGo }: { questions: InboxItem[] } & Go) {
  const t = useTranslations("palette");
  if (questions.length === 0) return null;
  return (
    <Group heading={t("groups.questions")}>
      {questions.map(({ inbox_item_id: id, session_id, status, question, answer, agent }) => (
        <Item
          key={id}
          value={id}
          icon={<MessageCircleQuestion size={16} className={status === "open" ? "text-accent" : ""} aria-hidden />}
          onSelect={() => onGo(status === "open" ? `/?item=${encodeURIComponent(id)}` : `/conversations/${session_id}`)}
          end={<Fact>{status === "open" ? t("open") : (answer ?? agent)}</Fact>}
        >
          <VisibleText>{question}</VisibleText>
        </Item>
      ))}
    </Group>
  );
}

export function FoundConversations({ conversations, onGo }: { conversations: SessionSummary[] } & Go) {
  const t = useTranslations("palette");
  const thread = useTranslations("thread");
  if (conversations.length === 0) return null;
  return (
    <Group heading={t("groups.conversations")}>
      {conversations.map(({ session_id: id, title, agent, pending_asks, updated_at }) => (
        <Item
          key={id}
          value={id}
          icon={<Avatar name={agent} kind="agent" size="sm" />}
          onSelect={() => onGo(`/conversations/${id}`)}
          end={
            <>
              {pending_asks > 0 && (
                <span className="size-1.5 rounded-full bg-accent" title={thread("status.waiting_input")} />
              )}
              <Fact>
                <Ago at={updated_at} />
              </Fact>
            </>
          }
        >
          <VisibleText>{title || thread("untitled")}</VisibleText>
        </Item>
      ))}
    </Group>
  );
}

/** Agents lead to their open questions. */
export function FoundAgents({ agents, onGo }: { agents: Facet } & Go) {
  const t = useTranslations("palette");
  if (agents.length === 0) return null;
  return (
    <Group heading={t("groups.agents")}>
      {agents.map(({ value: agent, count }) => (
        <Item
          key={agent}
          value={`agent-${agent}`}
          icon={<Avatar name={agent} kind="agent" size="sm" />}
          onSelect={() => onGo(`/?agent=${encodeURIComponent(agent)}`)}
          end={<Fact>{t("asked", { count })}</Fact>}
        >
          <VisibleText>{agent}</VisibleText>
        </Item>
      ))}
    </Group>
  );
}
