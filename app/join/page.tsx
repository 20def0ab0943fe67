import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Join } from "../../components/sign-in/join.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("join"))("title") };
}

export default function JoinPage() {
  return <Join />;
}
