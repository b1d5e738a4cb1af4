/** The version of this build; replaced by the package's version when bundling. */
export const version = process.env.SPOOLED_VERSION ?? 'unknown';
