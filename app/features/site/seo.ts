import type { MetaDescriptor } from "@remix-run/cloudflare";
import type { Brand } from "~/content/brand";
import type { Question } from "~/content/faq";
import { industries } from "~/content/industries";
import { type Service, services } from "~/content/services";
import { picturePath } from "~/features/icons/model";
import { siteBrand } from "~/features/settings/root-brand";
import { CONTACT_PATH } from "~/lib/addresses";

/** Lists all pages of the public site that are worth finding, in the order of the sitemap. */
export const publicPaths: readonly string[] = [
  "/",
  "/services",
  ...services.map(({ id }) => `/services/${id}`),
  "/industries",
  ...industries.map(({ slug }) => `/industries/${slug}`),
  "/why-us",
  "/pricing",
  CONTACT_PATH,
  "/privacy",
  "/terms",
];

/** Describes what a route's `meta` is called with, as far as it is needed here. */
type Matches = readonly { id: string; data?: unknown }[];

type PageMetaInput = {
  /** Holds the title without the name of the provider, which is added. */
  title: string;
  description: string;
  /** Holds the page's own address; a query string never belongs to it. */
  path: string;
  /** Holds Schema.org objects for search engines. Remix escapes them for the script element around them. */
  structured?: readonly object[];
};

/** Returns title, description, canonical address, preview for sharing, and structured data of a public page. */
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
    { property: "og:image", content: origin + picturePath(brand, "preview.png") },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: [brand.name, brand.tagline].filter(Boolean).join(". ") },
    { name: "twitter:card", content: "summary_large_image" },
    ...structured.map((schema) => ({ "script:ld+json": { "@context": "https://schema.org", ...schema } })),
  ];
}

/** Returns the `meta` of a page that does not exist: no address of its own, and no search engine should keep it. */
export const missingPageMeta = (matches: Matches, title: string): MetaDescriptor[] => [
  { title: `${title} | ${siteBrand(matches).name}` },
  { name: "robots", content: "noindex" },
];

/** Returns the site's own origin, which the layout of the public pages has from the configuration. */
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
  logo: origin + (brand.logo?.src ?? picturePath(brand, "icon-512.png")),
  email: brand.email,
  telephone: brand.phone?.display,
  address: brand.address.join(", ") || undefined,
});

export const serviceSchema = (origin: string, { id, title, summary }: Service, brand: Brand) => ({
  "@type": "Service",
  name: title,
  description: summary,
  url: `${origin}/services/${id}`,
  provider: identity(origin, brand),
});

export const faqSchema = (questions: readonly Question[]) => ({
  "@type": "FAQPage",
  mainEntity: questions.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer },
  })),
});

/** Returns the breadcrumb of a page, top first; the page itself is the last. */
export const breadcrumbSchema = (origin: string, crumbs: readonly { name: string; path: string }[]) => ({
  "@type": "BreadcrumbList",
  itemListElement: crumbs.map(({ name, path }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name,
    item: origin + path,
  })),
});
