import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether a name is `localhost`, or ends with it: it names this machine (RFC 6761), and name servers do not know it. */
export const isLocalhostName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/** Whether a text is an IP address of this machine itself: what is sent there goes through no network. */
export const isLoopbackAddress = (text: string): boolean => isIP(text) !== 0 && ipaddr.process(text).range() === 'loopback';
