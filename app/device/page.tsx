import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Device } from "../../components/sign-in/device.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("device"))("title") };
}

export default function DevicePage() {
  return <Device />;
}
