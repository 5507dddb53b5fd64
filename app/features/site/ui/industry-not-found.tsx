import { homeSections } from "~/content/home";
import { industries } from "~/content/industries";
import { Link } from "~/ui/link";
import { IndustryFolders } from "./industry-folders";
import { SectionRow } from "./section-row";
import { SitePage } from "./site-page";

/** Says that an industry is unknown, and lists the ones there are. */
export function IndustryNotFound() {
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
