import { archivePath } from "~/features/organization-management/paths";
import { EVERYTHING_PATH } from "~/features/privacy/model";
import { withParams } from "~/lib/addresses";
import { EVERYTHING } from "./model";

export const staffArchivePath = (organizationId: string): string =>
  organizationId === EVERYTHING ? EVERYTHING_PATH : archivePath(organizationId);

export const archiveFilePath = (id: string): string => withParams("/admin/exports/archive.zip", { archive: id });
export const clientArchiveFilePath = (id: string): string => withParams("/client/exports/archive.zip", { archive: id });
