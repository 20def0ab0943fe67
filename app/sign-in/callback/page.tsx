import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Callback } from "../../../components/sign-in/callback.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("signIn"))("title") };
}

export default function CallbackPage() {
  return <Callback />;
}
