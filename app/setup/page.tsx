import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SetUp } from "../../components/sign-in/set-up.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("setup"))("title") };
}

export default function SetUpPage() {
  return <SetUp />;
}
