import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether a name is `localhost`, or ends with it; such names are this machine (RFC 6761) and are not in DNS. */
export const isLocalhostName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/** Whether a text is an IP address of this machine itself, which is reached without a network. */
export const isLoopbackAddress = (text: string): boolean => isIP(text) !== 0 && ipaddr.process(text).range() === 'loopback';
