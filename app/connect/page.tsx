import type { Metadata } from "next";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { Connect } from "../../components/connect/connect.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("connect"))("title") };
}

/** The address this visitor used certainly works for them. */
export default async function ConnectPage() {
  const asked = await headers();
  const protocol = asked.get("x-forwarded-proto") === "https" ? "https" : "http";
  const name = Math.floor(Math.random() * 36 ** 4).toString(36);
  return <Connect url={`${protocol}://${asked.get("host") ?? "localhost:3000"}`} name={name} />;
}
