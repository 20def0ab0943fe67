import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Account } from "../../components/account/account.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("me"))("title") };
}

export default function AccountPage() {
  return <Account />;
}
