"use client";

import { Check, Square } from "lucide-react";
import { useTranslations } from "next-intl";
import { type CSSProperties, createContext, memo, type ReactNode, useContext, useDeferredValue } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkGfm from "remark-gfm";
import remend from "remend";
import { CodeBlock } from "./code-block.tsx";
import { splitMarkdown } from "./markdown-parts.ts";

const remarkPlugins = [remarkGfm, remarkCjkFriendly];
const rehypePlugins = [rehypeSanitize];

const components: Components = {
  a: ({ href, children }) => <ExternalLink href={href}>{children}</ExternalLink>,
  // An image would be fetched from an address the agent chose, and reveal that someone is looking.
  img: ({ src, alt }) => <ExternalLink href={typeof src === "string" ? src : undefined}>🖼 {alt}</ExternalLink>,
  input: ({ checked }) =>
    checked ? (
      <Check size={14} className="inline" aria-label="✓" />
    ) : (
      <Square size={14} className="inline" aria-label="☐" />
    ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  // Classes, because the content security policy forbids inline styles in server-rendered pages.
  th: ({ style, children }) => <th className={alignment(style)}>{children}</th>,
  td: ({ style, children }) => <td className={alignment(style)}>{children}</td>,
  table: ({ children }) => <Table>{children}</Table>,
};

/** Streaming text arrives in pieces; each piece re-renders only the last part. */
const MarkdownRendered = memo(function MarkdownRendered({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  const shown = useDeferredValue(text);
  const parts = isStreaming ? splitMarkdown(shown) : [shown];
  return (
    <div className="prose">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended and never move.
        <Part key={index} text={isStreaming && index === parts.length - 1 ? remend(part) : part} />
      ))}
    </div>
  );
});
export default MarkdownRendered;

const Part = memo(function Part({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

function alignment(style: CSSProperties | undefined): string {
  return style?.textAlign === "right" ? "text-right" : style?.textAlign === "center" ? "text-center" : "";
}

/** An image in a link would become a link within a link, which browsers split. */
const InsideLink = createContext(false);

/** Shows where the link leads. A link that leads nowhere, or would run something, becomes plain text. */
function ExternalLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const url = parse(href);
  const isInside = useContext(InsideLink);
  if (!url || isInside) return <span>{children}</span>;
  return (
    <a className="link" href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      <InsideLink value={true}>{children}</InsideLink>
      <span className="ml-1 text-xs text-muted">({url.protocol === "mailto:" ? url.pathname : url.host})</span>
    </a>
  );
}

// The full stop of a Chinese or Japanese sentence is not part of the URL before it.
const TRAILING = /(?:[。、，！？）」』】；：]|%E3%80%8[12D]|%EF%BC%8C|%EF%BC%89)+$/i;

function parse(href: string | undefined): URL | undefined {
  if (!href || !/^(https?:\/\/|mailto:)/i.test(href)) return undefined;
  try {
    return new URL(href.replace(TRAILING, ""));
  } catch {
    return undefined;
  }
}

function Table({ children }: { children: ReactNode }) {
  const t = useTranslations("thread");
  return (
    <section className="overflow-x-auto" tabIndex={0} aria-label={t("table")}>
      <table>{children}</table>
    </section>
  );
}
