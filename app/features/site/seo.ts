import type { MetaDescriptor } from "@remix-run/cloudflare";
import { type Brand, brand as defaultBrand, type LogoImage } from "~/content/brand";
import { industries } from "~/content/industries";
import { type Feature, type Service, services } from "~/content/services";
import { siteBrand } from "~/features/settings/brand";
import { saysName } from "~/features/settings/model";
import { brandFilePath, CONTACT_PATH } from "~/lib/addresses";

export const BRAND_ICON = "icon.svg";
const BRAND_ICON_PATH = brandFilePath(BRAND_ICON);

export const publicPaths: readonly string[] = [
  "/",
  "/services",
  ...services.map(({ id }) => `/services/${id}`),
  "/industries",
  ...industries.map(({ slug }) => `/industries/${slug}`),
  "/why-us",
  "/pricing",
  "/examples/ticket",
  "/examples/letter",
  CONTACT_PATH,
  "/privacy",
  "/terms",
];

type Matches = readonly { id: string; data?: unknown }[];

type PageMetaInput = {
  /** Without the name of the provider, which is added. */
  title: string;
  description: string;
  /** A query string never belongs to it. */
  path: string;
  /** Schema.org objects for search engines. Remix escapes them for the script element around them. */
  structured?: readonly object[];
};

export function pageMeta(
  matches: Matches,
  { title, description, path, structured = [] }: PageMetaInput,
): MetaDescriptor[] {
  const origin = originOf(matches);
  const brand = siteBrand(matches);
  const fullTitle = path === "/" ? `${brand.name}: ${title}` : `${title} | ${brand.name}`;
  return [
    { title: fullTitle },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: origin + path },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: brand.name },
    { property: "og:title", content: fullTitle },
    { property: "og:description", content: description },
    { property: "og:url", content: origin + path },
    ...pictures(brand, origin),
    ...structured.map((schema) => ({ "script:ld+json": { "@context": "https://schema.org", ...schema } })),
  ];
}

type BrandStyle = Pick<Brand, "name" | "tagline" | "color" | "logo">;

/** For it there are pictures in `public/images`. */
export const hasDefaultBrand = ({ name, tagline, color, logo }: BrandStyle): boolean =>
  !logo && name === defaultBrand.name && tagline === defaultBrand.tagline && color === defaultBrand.color;

/** Files of the default brand, or the logo of another one. */
function pictures(brand: Brand, origin: string): MetaDescriptor[] {
  const alt = [brand.name, brand.tagline].filter(Boolean).join(". ");
  if (hasDefaultBrand(brand)) {
    return [
      ...image({ src: `${origin}/images/preview.png`, width: 1200, height: 630 }, alt),
      { name: "twitter:card", content: "summary_large_image" },
      { tagName: "link", rel: "apple-touch-icon", href: "/images/apple-touch-icon.png" },
    ];
  }
  const { logo } = brand;
  if (!logo) return [];
  const icon = { tagName: "link", rel: "apple-touch-icon", href: logo.src };
  return [...image({ ...logo, src: origin + logo.src }, alt), ...(saysName(logo) ? [] : [icon])];
}

const image = ({ src, width, height }: LogoImage, alt: string): MetaDescriptor[] => [
  { property: "og:image", content: src },
  { property: "og:image:width", content: String(width) },
  { property: "og:image:height", content: String(height) },
  { property: "og:image:alt", content: alt },
];

/** No address of its own, and no search engine should keep it. */
export const missingPageMeta = (matches: Matches, title: string): MetaDescriptor[] => [
  { title: `${title} | ${siteBrand(matches).name}` },
  { name: "robots", content: "noindex" },
];

export function originOf(matches: Matches): string {
  const layout = matches.find(({ id }) => id === "routes/_site")?.data as { origin?: string } | undefined;
  return layout?.origin ?? "";
}

const identity = (origin: string, { name }: Pick<Brand, "name">) => ({
  "@type": "Organization",
  name,
  url: `${origin}/`,
});

export const organizationSchema = (origin: string, brand: Brand) => ({
  ...identity(origin, brand),
  legalName: brand.legalName,
  slogan: brand.tagline || undefined,
  logo: origin + (brand.logo?.src ?? (hasDefaultBrand(brand) ? "/images/icon-512.png" : BRAND_ICON_PATH)),
  email: brand.email,
  telephone: brand.phone?.display,
  address: brand.address.join(", ") || undefined,
});

export const serviceSchema = (
  origin: string,
  { id, title, summary }: Pick<Service, "id" | "title" | "summary">,
  brand: Brand,
) => ({
  "@type": "Service",
  name: title,
  description: summary,
  url: `${origin}/services/${id}`,
  provider: identity(origin, brand),
});

export const faqSchema = (questions: readonly Feature[]) => ({
  "@type": "FAQPage",
  mainEntity: questions.map(({ title, text }) => ({
    "@type": "Question",
    name: title,
    acceptedAnswer: { "@type": "Answer", text },
  })),
});

/** Top first; the page itself is the last. */
export const breadcrumbSchema = (origin: string, crumbs: readonly { name: string; path: string }[]) => ({
  "@type": "BreadcrumbList",
  itemListElement: crumbs.map(({ name, path }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name,
    item: origin + path,
  })),
});
