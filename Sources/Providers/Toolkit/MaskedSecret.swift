/// How secrets stand in exports; a seed that holds it leaves the secret as it is.
package let maskedSecret = "********"
