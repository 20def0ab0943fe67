import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Keys } from "../../components/keys/keys.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("keys"))("title") };
}

export default function KeysPage() {
  return <Keys />;
}
