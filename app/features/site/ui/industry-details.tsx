import { type Industry, industries } from "~/content/industries";
import { services } from "~/content/services";
import { CONTACT_PATH } from "~/lib/addresses";
import { Breadcrumb } from "~/ui/breadcrumb";
import { LinkButton } from "~/ui/button";
import { TickList } from "./feature-list";
import { IndustryFolders } from "./industry-folders";
import { LinkList } from "./link-list";
import { SectionRow } from "./section-row";
import { SitePage } from "./site-page";

const OTHERS = 3;

/** Returns the next industries in the order of the list, beginning again at its end. */
export function otherIndustries(industry: Industry): Industry[] {
  const index = industries.indexOf(industry);
  return [...industries.slice(index + 1), ...industries.slice(0, index)].slice(0, OTHERS);
}

/** Shows one industry: what is particular about it, what is done for it, where it starts, and what is next to it. */
export function IndustryDetails({ industry }: { industry: Industry }) {
  const { title, description, features } = industry;
  return (
    <SitePage
      title={title}
      lead={description}
      breadcrumb={<Breadcrumb items={[{ label: "Industries", to: "/industries" }, { label: title }]} />}
    >
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
        <IndustryFolders industries={otherIndustries(industry)} />
      </SectionRow>
    </SitePage>
  );
}
