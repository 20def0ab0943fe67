"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { KeyView } from "../../lib/protocol/api-key.ts";
import { StartDemo } from "../conversations/start-demo.tsx";
import { useIsTeam, useMay } from "../team/me.tsx";
import { buttonClass } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { retrying } from "../ui/retrying.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { CLIENTS, type ConnectClient } from "./clients.ts";
import { LiveTest } from "./live-test.tsx";

// Only where people have accounts, and with the library that positions its lists.
const KeyStep = dynamic(
  retrying(async () => (await import("./key-step.tsx")).KeyStep),
  { loading: () => <SkeletonRows rows={3} /> },
);

type Way = ConnectClient["id"] | "demo";

/** Connects an agent: the steps, and a live test that shows its question arriving. */
export function Connect({ url, name }: { url: string; name: string }) {
  const t = useTranslations("connect");
  const [way, setWay] = useState<Way>("claude");
  const client = CLIENTS.find(({ id }) => id === way);
  const isTeam = useIsTeam();
  const mayAsk = useMay("ask");
  const [made, setMade] = useState<{ key: KeyView; secret: string }>();
  // A key determines the name its agent asks under.
  const own = client?.known.by === "ownName" ? client.known.name : `${way}-${name}`;
  const agent = made?.key.agent ?? own;
  const needsKey = isTeam && client !== undefined;
  const given = { url, agent, key: isTeam ? (made?.secret ?? "parley_agent_…") : undefined };
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 sm:px-6">
      <h1 className="text-lg font-semibold">{t("title")}</h1>
      <p className="mt-1 mb-4 text-muted">{t("about")}</p>
      <Tabs
        label={t("ways")}
        value={way}
        onChange={setWay}
        tabs={([...CLIENTS.map(({ id }) => id), "demo"] as const).map((id) => ({ value: id, label: t(`names.${id}`) }))}
      >
        <ol className="py-6">
          {needsKey && (
            <Step>
              <KeyStep made={made} agent={own} mayAsk={mayAsk} onMade={setMade} />
            </Step>
          )}
          {client ? (
            client.steps
              .filter((step) => isTeam || !step.needsKey)
              .map((step) => (
                <Step key={step.text}>
                  <p>{t(`steps.${step.text}`)}</p>
                  {step.code && (
                    <div className="mt-3">
                      <CodeBlock>
                        <code className={`language-${step.language}`}>{step.code(given)}</code>
                      </CodeBlock>
                    </div>
                  )}
                </Step>
              ))
          ) : (
            <Step>
              <p className="mb-3">{t("demo")}</p>
              <StartDemo className={buttonClass({ variant: "primary" })}>{t("startDemo")}</StartDemo>
            </Step>
          )}
          <Step isLast>
            <LiveTest
              key={agent}
              agent={agent}
              isPasted={client !== undefined}
              surface={client?.known.by === "surface" ? "mcp" : undefined}
            />
          </Step>
        </ol>
        <p className="text-sm text-muted">
          {client?.known.by === "name" && `${t("more")} `}
          <a className="link inline-flex items-center pointer-coarse:min-h-11" href="/api/docs">
            {t("docs")}
          </a>
        </p>
      </Tabs>
    </div>
  );
}

/** A numbered step, with a line that leads to the next one. */
function Step({ isLast = false, children }: { isLast?: boolean; children: ReactNode }) {
  return (
    <li className="relative pb-6 pl-10 [counter-increment:step]">
      <span
        aria-hidden
        className="absolute top-0 left-0 flex size-6 items-center justify-center rounded-full border border-line bg-raised text-xs font-medium text-muted before:content-[counter(step)]"
      />
      {!isLast && <span aria-hidden className="absolute top-7 bottom-1 left-3 w-px bg-line" />}
      <div className="min-w-0 pt-0.5">{children}</div>
    </li>
  );
}
