/** The explorer's page; what it loads is below `docs/`, next to it. */
export const page = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Institution API</title>
  <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
  <link rel="stylesheet" href="docs/swagger-ui.css">
  <link rel="stylesheet" href="docs/explorer.css">
</head>
<body>
  <div id="explorer"></div>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/explorer.js"></script>
</body>
</html>
`;

/** Starts the explorer with the document next to it. A key that is typed in is not stored. */
export const startScript = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#explorer',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  showExtensions: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

export const styles = `body { margin: 0; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .title small.version-stamp { background-color: #2f6f4f; }
`;
