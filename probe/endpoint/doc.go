// Package endpoint knows how an endpoint is written and what is sent to it:
// it reads base URLs as people write them, builds the addresses of requests,
// decides which key goes where, and lists models.
//
// Start with Parse, then add headers (Header) and the key (KeyFor) to the
// endpoint. ChatURL, ModelsURL and Authorize are what a request needs;
// Display, Secrets and Redact are what a screen, a record or an error needs.
//
// A formatted endpoint never shows a secret: user info becomes a header that
// masks itself, and a query that holds a credential is kept masked in Base and
// whole among the headers, under a name that no real header can have. So
// addresses are built by ChatURL and ModelsURL and headers are set by
// Authorize, never from Base and Headers directly.
//
// Nothing here touches the network except ListModels.
package endpoint
