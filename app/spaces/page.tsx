import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Spaces } from "../../components/spaces/spaces.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("spaces"))("title") };
}

export default function SpacesPage() {
  return <Spaces />;
}
