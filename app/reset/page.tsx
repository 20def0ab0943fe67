import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Reset } from "../../components/sign-in/reset.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("reset"))("title") };
}

export default function ResetPage() {
  return <Reset />;
}
