import type { Industry } from "./industries";
import type { Service } from "./services";

type SiteLink = { label: string; path: string };

export const mainLinks: readonly SiteLink[] = [
  { label: "Home", path: "/" },
  { label: "Services", path: "/services" },
  { label: "Industries", path: "/industries" },
  { label: "Why Choose Us", path: "/why-us" },
  { label: "Pricing", path: "/pricing" },
  { label: "Contact", path: "/contact" },
];

type Named = {
  linksPromises: boolean;
  services: readonly Pick<Service, "id" | "title">[];
  industries: readonly Pick<Industry, "slug" | "title">[];
};

export const footerColumns = ({
  services,
  industries,
  linksPromises,
}: Named): { title: string; links: readonly SiteLink[] }[] => [
  { title: "Services", links: services.map(({ id, title }) => ({ label: title, path: `/services/${id}` })) },
  { title: "Industries", links: industries.map(({ slug, title }) => ({ label: title, path: `/industries/${slug}` })) },
  {
    title: "Company",
    links: [
      { label: "Why Choose Us", path: "/why-us" },
      { label: "Pricing", path: "/pricing" },
      { label: "Contact", path: "/contact" },
      ...(linksPromises ? [{ label: "Our promises", path: "/promise" }] : []),
      { label: "Client login", path: "/client/auth" },
    ],
  },
];

export const legalLinks: readonly SiteLink[] = [
  { label: "Privacy", path: "/privacy" },
  { label: "Terms", path: "/terms" },
];

export const suggestedPages: readonly (SiteLink & { text: string })[] = [
  { label: "Services", path: "/services", text: "The six things we look after." },
  { label: "Industries", path: "/industries", text: "Who we work for, and the rules they work under." },
  { label: "Pricing", path: "/pricing", text: "Every rate, and an estimate you can share." },
  { label: "Why Choose Us", path: "/why-us", text: "What we promise, and what we do differently." },
  { label: "Contact", path: "/contact", text: "Ask for a free assessment, or just ask." },
];
