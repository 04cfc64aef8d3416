/** Returns a name that is one part of a path on every system. */
export const toPathPart = (filename: string): string => filename.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').replace(/^\.+/, '_').slice(-100);
