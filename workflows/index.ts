export { bulkProvisioning } from './bulkProvisioning';
export { bulkReplay } from './bulkReplay';
export { licenseExpirySweep } from './licenseExpirySweep';
export { webhookDelivery } from './webhookDelivery';
