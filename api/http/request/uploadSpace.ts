import { noSpace } from '../../../domain/files/noSpace';

/** Throws {@link noSpace} if a disk has too little free space. */
export async function requireSpace(hasSpace: () => Promise<boolean>): Promise<void> {
  if (!(await hasSpace())) throw noSpace();
}
