import { homeSections } from "~/content/home";
import type { ComplianceRule, Industry } from "~/content/industries";
import { useSiteBrand } from "~/features/settings/brand";
import { CONTACT_PATH } from "~/lib/addresses";
import { LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Link } from "~/ui/link";
import { Breadcrumb } from "~/ui/page";
import { SectionRow } from "./section-row";
import { LinkList, SitePage, Situations, TickList } from "./site-page";

type IndustryFoldersProps = {
  industries: readonly Industry[];
  /** "h2" where the folders are the page, which makes them larger. */
  heading?: "h2" | "h3";
};

export function IndustryFolders({ industries, heading = "h3" }: IndustryFoldersProps) {
  return (
    <ul className="grid grid-cols-3 gap-x-5 gap-y-11 pt-2 max-md:grid-cols-1 max-md:gap-1 md:max-lg:grid-cols-2">
      {industries.map((industry) => (
        <Folder key={industry.slug} industry={industry} heading={heading} />
      ))}
    </ul>
  );
}

type FolderProps = { industry: Industry; heading: "h2" | "h3" };

/** Its tab stands left, in the middle or right in turn; only left or right where two share a line. */
function Folder({ industry: { slug, title, rule, summary }, heading: Heading }: FolderProps) {
  const isLarge = Heading === "h2";
  return (
    <li
      className={cx(
        "group relative mt-[1.9rem] rounded-3 rounded-tl-none bg-folder px-[min(1.4rem,7vw)] has-[a:hover]:bg-canary-sheet forced-colors:border",
        "thirds:nth-[3n+2]:rounded-tl-3 thirds:nth-[3n]:rounded-tl-3 thirds:nth-[3n]:rounded-tr-none",
        "md:max-lg:even:rounded-tl-3 md:max-lg:even:rounded-tr-none",
        isLarge ? "pt-7 pb-9" : "pt-[1.4rem] pb-[1.6rem]",
      )}
    >
      <span
        className={cx(
          "absolute bottom-[calc(100%-1px)] left-0 min-h-[1.95rem] min-w-[44%] rounded-t-3 bg-inherit px-[0.9rem] pt-[0.42rem] text-ink-2 text-sm forced-colors:border",
          "thirds:group-nth-[3n]:right-0 thirds:group-nth-[3n+2]:left-[28%] thirds:group-nth-[3n]:left-auto",
          "md:max-lg:group-even:right-0 md:max-lg:group-even:left-auto",
        )}
      >
        {rule}
      </span>
      <Heading className={isLarge ? "text-xl" : undefined}>
        <Link className="after:absolute after:inset-0" to={`/industries/${slug}`}>
          {title}
        </Link>
      </Heading>
      <p className="mt-[0.6rem] text-base text-ink-2">{summary}</p>
    </li>
  );
}

const OTHERS = 3;

export function otherIndustries(industries: readonly Industry[], industry: Industry): Industry[] {
  const index = industries.indexOf(industry);
  return [...industries.slice(index + 1), ...industries.slice(0, index)].slice(0, OTHERS);
}

export function IndustryDetails({ industry }: { industry: Industry }) {
  const { title, description, situations, features } = industry;
  const { services, industries } = useSiteBrand().content;
  return (
    <SitePage
      title={title}
      lead={description}
      breadcrumb={<Breadcrumb items={[{ label: "Industries", to: "/industries" }, { label: title }]} />}
    >
      <Situations situations={situations} />
      <SectionRow id="features" title="Key features">
        <div>
          <TickList items={features} />
          <p className="mt-6">
            <LinkButton to={CONTACT_PATH}>Get a Free IT Assessment</LinkButton>
          </p>
        </div>
      </SectionRow>
      <SectionRow id="start" title="Where most start">
        <LinkList
          items={services
            .filter(({ id }) => industry.services.includes(id))
            .map(({ id, title: service, summary }) => ({ to: `/services/${id}`, label: service, text: summary }))}
        />
      </SectionRow>
      <SectionRow id="others" title="Other industries">
        <IndustryFolders industries={otherIndustries(industries, industry)} />
      </SectionRow>
    </SitePage>
  );
}

export function IndustryNotFound() {
  const { industries } = useSiteBrand().content;
  return (
    <SitePage title="Industry Not Found" lead="Sorry, we couldn't find information about this industry.">
      <SectionRow
        id="industries"
        title={homeSections.industries.title}
        text={<Link to="/industries">All industries</Link>}
      >
        <IndustryFolders industries={industries} />
      </SectionRow>
    </SitePage>
  );
}

/** No badges: nobody is certified here. */
export function ComplianceList({ rules }: { rules: readonly ComplianceRule[] }) {
  return (
    <dl>
      {rules.map(({ name, asks, weDo }) => (
        <div
          key={name}
          className="grid grid-cols-[7rem_1fr] gap-x-8 gap-y-1 border-line-strong not-first:border-t pt-[1.1rem] pb-[1.2rem] first:pt-0 max-md:grid-cols-1"
        >
          <dt className="font-bold text-lg/[1.25] tracking-[-0.01em]">{name}</dt>
          <dd className="gap-8 lg:grid lg:grid-cols-2">
            <p>{asks}</p>
            <p className="text-ink-2">
              <b className="text-ink lg:block">What we do:</b> {weDo}
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
