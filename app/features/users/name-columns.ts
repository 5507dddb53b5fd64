import { fold } from "~/lib/text";

/** Returns the columns that hold the name of an account: as shown, and as it is found and sorted by. */
export const nameColumns = (fullName: string) => ({ full_name: fullName, search_name: fold(fullName) });
