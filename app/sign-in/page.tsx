import type { Metadata } from "next";
import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { PASSKEY_COOKIE } from "../../components/preferences/preferences.ts";
import { nextPath } from "../../components/sign-in/next-path.ts";
import { SignIn } from "../../components/sign-in/sign-in.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("signIn"))("title") };
}

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next } = await searchParams;
  return <SignIn next={nextPath([next].flat()[0])} hasPasskey={(await cookies()).has(PASSKEY_COOKIE)} />;
}
