export { webhookDelivery } from './webhookDelivery';
