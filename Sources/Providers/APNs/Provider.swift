/// Comes with issue 15.
package enum APNsProvider {}
