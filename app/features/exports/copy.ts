export const EXPORT_FAILED = { title: "Export Failed", message: "Failed to export data" } as const;
